import type { Study } from '../../../shared/domain/experiment'
import { useAttempt } from '../../ground/use-attempt'
import { useServices } from '../../stores/use-services'
import { saveText } from '../../ground/save-text'

/** Definition files: the same YAML (or JSON) that `loam experiment` reads. */
export function useStudyFile() {
  const { client, experimentForm, toasts } = useServices()
  const { problem, attempt } = useAttempt()
  return {
    problem,
    /** Fills the composer from a file. */
    open: (file: File) =>
      attempt(async () => {
        const definition = await client.experiments.readStudy({
          fileName: file.name,
          text: await file.text(),
        })
        experimentForm.getState().load(definition)
        toasts.getState().tell(`Opened ${file.name}`)
      }),
    save: (definition: Study) =>
      attempt(async () => {
        const { fileName, text } = await client.experiments.studyText(definition)
        saveText(fileName, text)
        toasts.getState().tell('Saved the definition', fileName)
      }),
  }
}
