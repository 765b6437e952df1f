/** See config.mjs; of electron-builder's configuration only what is read elsewhere. */
export function installerConfig(options: {
  readonly app: string
  readonly output: string
  readonly electron: string | undefined
}): {
  readonly fileAssociations: readonly { readonly ext: string }[]
  readonly protocols: readonly { readonly name: string; readonly schemes: readonly string[] }[]
  readonly extraResources: readonly { readonly filter?: readonly string[] }[]
  readonly publish: null
  readonly appId: string
  readonly mac: { readonly identity?: string }
}
