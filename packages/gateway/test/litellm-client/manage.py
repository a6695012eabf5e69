"""LiteLLM's Python management client against a gateway: one line of JSON for each call, with the method it is of.

Usage: manage.py ADDRESS KEY
"""

import json
import sys

from litellm.proxy.client import Client, UsersManagementClient
from litellm.proxy.client.credentials import CredentialsManagementClient
from litellm.proxy.client.health import HealthManagementClient
from litellm.proxy.client.http_client import HTTPClient
from litellm.proxy.client.teams import TeamsManagementClient

address, key = sys.argv[1:3]
client = Client(base_url=address, api_key=key)
users = UsersManagementClient(address, key)
teams = TeamsManagementClient(address, key)
credentials = CredentialsManagementClient(address, key)
health = HealthManagementClient(address, key)


def check(method, call):
    try:
        answer = call()
        print(json.dumps({"method": method, "ok": True}), flush=True)
        return answer
    except Exception as error:  # noqa: BLE001  # whatever the client throws is its finding
        body = getattr(getattr(error, "response", None), "text", "")
        said = f"{type(error).__name__} {str(error)[:300]} {str(body)[:300]}"
        print(json.dumps({"method": method, "ok": False, "said": said}), flush=True)
        return {}


user = {"user_email": "ann@example.com", "user_role": "internal_user", "max_budget": 5.0}
user_id = check("UsersManagementClient.create_user", lambda: users.create_user(user)).get("user_id", "")
listed = {"page": 1, "page_size": 5, "role": "internal_user"}
check("UsersManagementClient.list_users", lambda: users.list_users(listed))
check("UsersManagementClient.get_user", lambda: users.get_user(user_id)["user_info"]["user_email"])
check("UsersManagementClient.get_user_v2", lambda: users.get_user_v2(user_id)["user_email"])
made_team = {"team_alias": "Team", "members_with_roles": [{"user_id": user_id, "role": "admin"}]}
check("HTTPClient.request", lambda: HTTPClient(address, key).request("POST", "/team/new", json=made_team)["team_id"])
check("TeamsManagementClient.list", lambda: teams.list(user_id=user_id)[0]["team_alias"])
check("TeamsManagementClient.list_v2", lambda: teams.list_v2(page=1, page_size=10)["teams"][0]["team_alias"])
check("TeamsManagementClient.get_available", teams.get_available)
keys = client.keys
made = check(
    "KeysManagementClient.generate",
    lambda: keys.generate(
        models=["gpt-4o"], aliases={"a": "gpt-4o"}, duration="24h", key_alias="mine", user_id=user_id, config={}
    ),
)
secret = made.get("key", "")
check(
    "KeysManagementClient.list",
    lambda: keys.list(page=1, size=5, return_full_object=True, include_team_keys=True)["keys"][0]["key_alias"],
)
check("KeysManagementClient.list", lambda: keys.list(key_alias="mine")["keys"][0])
check("KeysManagementClient.info", lambda: keys.info(secret)["info"]["key_alias"])
check("KeysManagementClient.update", lambda: keys.update(secret, key_alias="yours", duration="48h", aliases={}))
asked = [{"role": "user", "content": "hello"}]
chat = Client(base_url=address, api_key=secret).chat
check("ChatClient.completions", lambda: chat.completions("gpt-4o", asked)["choices"][0])
check("ChatClient.completions_stream", lambda: list(chat.completions_stream("gpt-4o", asked))[0]["choices"][0])
check("KeysManagementClient.delete", lambda: keys.delete(keys=[secret])["deleted_keys"][0])
params = {"model": "openai/gpt-4o", "api_key": "sk-1234567"}
models = client.models
new = check("ModelsManagementClient.new", lambda: models.new("mine", params, {"mode": "chat"}))
model_id = new.get("model_id", "")
check("ModelsManagementClient.list", lambda: models.list()[0]["id"])
check("ModelsManagementClient.info", lambda: models.info()[0]["model_name"])
check("ModelsManagementClient.get", lambda: models.get(model_id=model_id)["model_name"])
check("ModelsManagementClient.get", lambda: models.get(model_name="mine")["model_name"])
changed = {"model": "openai/gpt-4o", "timeout": 5}
check("ModelsManagementClient.update", lambda: models.update(model_id, changed))
check("ModelsManagementClient.delete", lambda: models.delete(model_id))
check("ModelGroupsManagementClient.info", lambda: client.model_groups.info()[0]["model_group"])
check(
    "CredentialsManagementClient.create",
    lambda: credentials.create("mine", {"a": "b"}, {"api_key": "sk-1234567"}),
)
check("CredentialsManagementClient.list", lambda: credentials.list()["credentials"][0])
check("CredentialsManagementClient.get", lambda: credentials.get("mine"))
check("CredentialsManagementClient.update_display_name", lambda: credentials.update_display_name("mine", "Mine"))
check("CredentialsManagementClient.delete", lambda: credentials.delete("mine"))
check("HealthManagementClient.get_readiness", lambda: health.get_readiness()["status"])
check("HealthManagementClient.get_server_version", lambda: health.get_server_version() or "none, which the client allows")
check("UsersManagementClient.delete_user", lambda: users.delete_user([user_id]))
