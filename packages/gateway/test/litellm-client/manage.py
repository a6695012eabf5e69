"""LiteLLM's Python management client against a gateway: one line for each method, `ok` or `FAILS` with the reason.

Usage: manage.py ADDRESS KEY
"""

import sys

from litellm.proxy.client import Client, UsersManagementClient
from litellm.proxy.client.credentials import CredentialsManagementClient
from litellm.proxy.client.health import HealthManagementClient
from litellm.proxy.client.teams import TeamsManagementClient

address, key = sys.argv[1:3]
client = Client(base_url=address, api_key=key)
users = UsersManagementClient(address, key)
teams = TeamsManagementClient(address, key)
credentials = CredentialsManagementClient(address, key)
failed = []


def check(name, call):
    try:
        answer = call()
        print("ok", name, flush=True)
        return answer
    except Exception as error:  # noqa: BLE001  # whatever the client throws is its finding
        body = getattr(getattr(error, "response", None), "text", "")
        print("FAILS", name, type(error).__name__, str(error)[:300], str(body)[:300], flush=True)
        failed.append(name)
        return {}


user = {"user_email": "ann@example.com", "user_role": "internal_user", "max_budget": 5.0}
user_id = check("create a user", lambda: users.create_user(user)).get("user_id", "")
check("list users", lambda: users.list_users({"page": 1, "page_size": 5, "role": "internal_user"}))
check("look at a user", lambda: users.get_user(user_id)["user_info"]["user_email"])
check("look at a user alone", lambda: users.get_user_v2(user_id)["user_email"])
check("list teams", lambda: teams.list(user_id=user_id))
check("list teams page by page", lambda: teams.list_v2(page=1, page_size=10)["teams"])
check("list teams to join", teams.get_available)
made = check(
    "make a key",
    lambda: client.keys.generate(
        models=["gpt-4o"], aliases={"a": "gpt-4o"}, duration="24h", key_alias="mine", user_id=user_id, config={}
    ),
)
secret = made.get("key", "")
check("list keys", lambda: client.keys.list(page=1, size=5, return_full_object=True, include_team_keys=True))
check("find a key by its alias", lambda: client.keys.list(key_alias="mine")["keys"][0])
check("look at a key", lambda: client.keys.info(secret)["info"]["key_alias"])
check("change a key", lambda: client.keys.update(secret, key_alias="yours", duration="48h", aliases={}))
answer = [{"role": "user", "content": "hello"}]
check(
    "call with the key",
    lambda: Client(base_url=address, api_key=secret).chat.completions("gpt-4o", answer)["choices"][0],
)
check("delete a key", lambda: client.keys.delete(keys=[secret])["deleted_keys"][0])
params = {"model": "openai/gpt-4o", "api_key": "sk-1234567"}
model_id = check("make a model", lambda: client.models.new("mine", params, {"mode": "chat"})).get("model_id", "")
check("list models", client.models.list)
check("look at models", client.models.info)
check("find a model", lambda: client.models.get(model_id=model_id))
check("find a model by its name", lambda: client.models.get(model_name="mine"))
check("change a model", lambda: client.models.update(model_id, {"model": "openai/gpt-4o", "timeout": 5}))
check("delete a model", lambda: client.models.delete(model_id))
check("look at groups of models", client.model_groups.info)
check("make a credential", lambda: credentials.create("mine", {"a": "b"}, {"api_key": "sk-1234567"}))
check("list credentials", lambda: credentials.list()["credentials"][0])
check("look at a credential", lambda: credentials.get("mine"))
check("rename a credential", lambda: credentials.update_display_name("mine", "Mine"))
check("delete a credential", lambda: credentials.delete("mine"))
check("health", HealthManagementClient(address, key).get_readiness)
check("delete a user", lambda: users.delete_user([user_id]))
sys.exit(1 if failed else 0)
