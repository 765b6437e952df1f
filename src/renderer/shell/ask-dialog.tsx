import { useStore } from 'zustand'
import { Button } from '../components/button'
import { Dialog } from '../components/dialog'
import { useServices } from '../stores/use-services'

/** Asks before something is done that cannot be taken back. Closing it leaves everything as it is. */
export function AskDialog() {
  const { ui } = useServices()
  const question = useStore(ui, (state) => state.question)
  if (question === null) return null
  const close = () => ui.getState().ask(null)
  return (
    <Dialog onClose={close} title={question.title} description={question.words}>
      <div className="flex flex-wrap justify-end gap-2 p-3">
        <Button autoFocus onClick={close}>
          {question.no}
        </Button>
        {question.answers.map(({ label, danger, run }) => (
          <Button
            key={label}
            look={danger ? 'danger' : 'secondary'}
            onClick={() => {
              close()
              run()
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
