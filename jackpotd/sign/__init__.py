"""The sign player: MQTT in, a browser page, an LED sign or a terminal out. Uses messages and hardware only."""
