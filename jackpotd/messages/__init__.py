"""Models of what is said over MQTT and the control socket; imports nothing of ours."""
