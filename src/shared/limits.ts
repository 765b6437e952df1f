/** The longest text of a file that is handed to the host in one piece, in characters. */
export const MAX_FILE_TEXT = 50_000_000

/** Most characters of a file that the window hands in as base64: 96 MiB of it. */
export const MAX_FILE_BASE64 = 128 * 1024 * 1024
