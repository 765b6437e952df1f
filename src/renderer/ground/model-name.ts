import { useStored } from '../stores/use-services'

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

/** Names a model as the list of models does: `SmolLM2 135M Instruct`; by its reference where it is not listed. */
export function useModelNames(): (reference: string) => string {
  const files = useStored('models', ({ data }) => data)
  return (reference) => files?.find(({ path }) => path === reference)?.name ?? modelName(reference)
}
