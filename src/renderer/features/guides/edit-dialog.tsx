import { useState } from 'react'
import { GUIDE_SECTIONS, type GuideVersion } from '../../../shared/domain/guide'
import { FormDialog } from '../../ground/form-dialog'
import { TextArea } from '../../ground/text-field'
import { useServices } from '../../stores/use-services'
import { SECTION_TITLES } from './words'

const ROWS = { context: 3, howToUse: 7, whenToUse: 3, bestPractices: 5 } as const

/** Rewrites a document by hand. Saving makes a version that later builds hold to. */
export function EditDialog({ version, onClose }: { version: GuideVersion; onClose(): void }) {
  const { guides, toasts } = useServices()
  const [draft, setDraft] = useState(version.text)
  const unchanged = GUIDE_SECTIONS.every((section) => draft[section] === version.text[section])
  const save = async () => {
    const refused = await guides.getState().edit(version.conceptId, draft)
    if (!refused) toasts.getState().tell('Saved as a new version', 'Agents read it now.')
    return refused
  }
  return (
    <FormDialog
      title={`Edit “${version.concept}”`}
      description="Agents read your version at once. Later builds keep the sentences you add and never bring back the ones you remove."
      className="w-[min(720px,calc(100vw-32px))]"
      submit={{ label: 'Save new version', busy: 'Saving…' }}
      ready={!unchanged && draft.howToUse.trim() !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      {GUIDE_SECTIONS.map((section) => (
        <TextArea
          key={section}
          label={SECTION_TITLES[section]}
          hint={
            section === 'howToUse' ? 'Markdown: lists, `code` and **bold** are shown as such.' : undefined
          }

          rows={ROWS[section]}
          value={draft[section]}
          onChange={(next) => setDraft({ ...draft, [section]: next })}
        />
      ))}
    </FormDialog>
  )
}
