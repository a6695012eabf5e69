"""What LiteLLM's Python client and its command line offer: `{"methods": [...], "commands": [...]}`."""

import importlib
import inspect
import json
import pkgutil

import click
import litellm.proxy.client as package
from litellm.proxy.client.cli.main import cli

methods = set()
for module in pkgutil.iter_modules(package.__path__):
    if module.name == "cli":
        continue
    found = importlib.import_module(f"{package.__name__}.{module.name}")
    for name, kind in inspect.getmembers(found, inspect.isclass):
        if kind.__module__ != found.__name__ or issubclass(kind, Exception) or not name.endswith("Client"):
            continue
        for method, _ in inspect.getmembers(kind, inspect.isfunction):
            if not method.startswith("_"):
                methods.add(f"{name}.{method}")


def commands(command, words):
    if not isinstance(command, click.Group):
        return [" ".join(words)]
    context = click.Context(command)
    names = command.list_commands(context)
    return [found for name in names for found in commands(command.get_command(context, name), [*words, name])]


print(json.dumps({"methods": sorted(methods), "commands": commands(cli, [])}))
