import { BrowserWindow, dialog, type OpenDialogOptions } from 'electron'

const OPTIONS: Readonly<Record<'files' | 'folder' | 'anything', OpenDialogOptions>> = {
  files: {
    title: 'Add models',
    buttonLabel: 'Add',
    properties: ['openFile', 'multiSelections', 'showHiddenFiles'],
    filters: [
      { name: 'Models (GGUF, ONNX)', extensions: ['gguf', 'onnx'] },
      // Ollama's blobs have no ending.
      { name: 'All files', extensions: ['*'] },
    ],
  },
  folder: {
    title: 'Add a folder of models',
    buttonLabel: 'Add',
    properties: ['openDirectory', 'showHiddenFiles'],
  },
  anything: {
    title: 'Open',
    buttonLabel: 'Open',
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: 'Bundles, logs and models', extensions: ['loam', 'json', 'jsonl', 'csv', 'md', 'gguf'] },
      { name: 'All files', extensions: ['*'] },
    ],
  },
}

/** Asks for files or a folder over the window; none when the person left it. */
export async function chooseFiles(what: 'files' | 'folder' | 'anything'): Promise<string[]> {
  const [window] = BrowserWindow.getAllWindows()
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, OPTIONS[what])
    : dialog.showOpenDialog(OPTIONS[what]))
  return canceled ? [] : filePaths
}
