/** Ends this process, which was forked, once its parent is gone, also where that went before this process could hear of it. */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit(0))
  if (!process.connected) process.exit(0)
}
