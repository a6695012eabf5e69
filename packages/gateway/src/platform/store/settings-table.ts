/** A value that all replicas share, such as the secret behind object ids. */
interface SettingRow {
  name: string;
  value: string;
}

/** Counts the changes of a topic, so that replicas notice when what they remember is out of date. */
interface VersionRow {
  topic: string;
  version: number;
}

/** The tables about the gateway itself. */
export interface SettingsSchema {
  settings: SettingRow;
  versions: VersionRow;
}
