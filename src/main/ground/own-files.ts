/** Whatever this process makes, folders and files, is for its owner alone (0700, 0600), wherever it lies. */
export function keepFilesPrivate(): void {
  process.umask(0o077)
}
