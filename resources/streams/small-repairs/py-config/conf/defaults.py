DEFAULTS = {
    "name": "app",
    "server": {"host": "localhost", "port": 8000, "tls": {"on": False, "cert": None}},
    "paths": ["."],
}
