"""Hashes and encrypts by LiteLLM's own code, with LITELLM_SALT_KEY: JSON in, the same object out.

`hash` holds texts of keys, `encrypt` objects whose texts are encrypted one by one, `cipher` what
`general_settings.encryption_algorithm` would say.
"""

import json
import sys

from litellm.proxy import proxy_server
from litellm.proxy._types import hash_token
from litellm.proxy.common_utils.encrypt_decrypt_utils import encrypt_value_helper

given = json.load(sys.stdin)
proxy_server.general_settings["encryption_algorithm"] = given["cipher"]
json.dump(
    {
        "hash": [hash_token(key) for key in given["hash"]],
        "encrypt": [{name: encrypt_value_helper(text) for name, text in one.items()} for one in given["encrypt"]],
    },
    sys.stdout,
)
