/** A file's name without its folders and ending, or what a server calls the model. */
export function modelName(reference: string): string {
  const served = /^[a-z-]+:(.+)@[^@]+$/.exec(reference)?.[1]
  return (
    served ??
    reference
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.gguf$/, '') ??
    reference
  )
}
