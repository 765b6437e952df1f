/** Makes a folder that looks like Electron's for Linux, of that version, to what packs an app. */
export function makeUpElectron(folder: string, version: string): void
