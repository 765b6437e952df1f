import type { MethodInfo } from '../../shared/domain/method'
import { Segmented } from '../components/segmented'
import { useStored } from '../stores/use-services'
import { GoLink } from './go-to'

/**
 * Whether what finds alike texts in the open memory knows what they mean: false for the word matcher, which compares words and letters; null until
 * that is known.
 */
function useUnderstanding(): boolean | null {
  const id = useStored(
    'memories',
    (state) => state.memories.find(({ id }) => id === state.currentId)?.embedder,
  )
  const match = useStored('embedders', (state) => state.data?.find((embedder) => embedder.id === id))
  return match ? match.kind === 'sentence-encoder' : null
}

/** What a search goes by: the very words, likeness, or `more`, such as both. */
export function SearchBy<V extends string = never>(props: {
  value: 'text' | 'semantic' | V
  more?: readonly { readonly value: V; readonly label: string }[]
  onChange(value: 'text' | 'semantic' | V): void
}) {
  const understands = useUnderstanding()
  return (
    <Segmented<'text' | 'semantic' | V>
      label="Search by"
      value={props.value}
      options={[
        { value: 'text', label: 'Words' },
        { value: 'semantic', label: understands ? 'Meaning' : 'Alike words' },
        ...(props.more ?? []),
      ]}
      onChange={props.onChange}
    />
  )
}

/** Says, before work is begun, which of its methods count on meaning while the word matcher is on; nothing otherwise. */
export function MeaningAssumed({ methods }: { readonly methods: readonly MethodInfo[] }) {
  const id = useStored('settings', (state) => state.settings?.embedder)
  const kind = useStored('embedders', (state) => state.data?.find((embedder) => embedder.id === id)?.kind)
  const assuming = methods.filter(({ assumesMeaning }) => assumesMeaning !== undefined)
  if (kind !== 'lexical' || assuming.length === 0) return null
  return (
    <p className="text-sm text-notice">
      {assuming.map(({ title }) => title).join(' and ')} {assuming.length === 1 ? 'assumes' : 'assume'} an
      embedding model that compares meaning; the built-in word matcher compares words.{' '}
      <GoLink to="speed">Choose an embedding model</GoLink>
    </p>
  )
}

/** Says, where a search goes by likeness, that the word matcher is on: it finds no other way of saying the same. */
export function EmbedderNote() {
  if (useUnderstanding() !== false) return null
  return (
    <p className="text-xs text-muted">
      The built-in word matcher is on: texts are alike when they share words and parts of words, not when they
      mean the same. <GoLink to="speed">Choose an embedding model</GoLink>
    </p>
  )
}
