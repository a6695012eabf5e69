/** Loads TLS, for which Node.js takes a while: when the first connection wants it, or somebody who has the time. */
export const loadTls = () => process.getBuiltinModule("node:tls");
