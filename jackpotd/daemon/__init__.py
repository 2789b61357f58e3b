"""The only asyncio shell: configuration, intake, engine, publisher, control socket, health and metrics."""
