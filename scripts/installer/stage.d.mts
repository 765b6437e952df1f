/** What a package says of itself, as far as it is read here. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
}

/** The packages that the built programs look for when they run, with all that these need, by their folders. Default: this system's. */
export function packagesNeeded(target?: {
  readonly platform?: string
  readonly arch?: string
}): Map<string, PackageManifest>

/** Puts what is packed into `folder`, emptied first. Answers the packages' names. */
export function stage(
  folder: string,
  target?: { readonly platform?: string; readonly arch?: string },
): string[]
