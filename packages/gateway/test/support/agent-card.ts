/** What an agent says of itself. */
export const weatherCard = {
  protocolVersion: "1.0",
  name: "Weather",
  description: "Knows the weather",
  url: "http://agent.example/",
  version: "1.0.0",
  defaultInputModes: ["text"],
  defaultOutputModes: ["text"],
  capabilities: { streaming: true },
  skills: [{ id: "w", name: "weather", description: "d", tags: ["w"], examples: ["rain?"] }],
};
