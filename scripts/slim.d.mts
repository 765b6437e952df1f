/** What a folder of packages holds that this machine does not use, each with the reason. Default: this system's. */
export function surplusOf(
  modules: string,
  target?: { readonly platform?: string; readonly arch?: string },
): { readonly path: string; readonly why: string }[]

/** Bytes of a file, or of all files below a folder. */
export function bytesOf(path: string): number
