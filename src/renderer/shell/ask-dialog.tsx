import { askName } from '../../shared/domain/ask'
import { Button } from '../components/button'
import { Dialog } from '../components/dialog'
import { Verbatim } from '../components/verbatim'
import { useServices, useStored } from '../stores/use-services'

/** Asks before something is done that cannot be taken back. Closing it leaves everything as it is. */
export function AskDialog() {
  const { ui } = useServices()
  const question = useStored('ui', (state) => state.question)
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

/** Asks, wherever the person is, whether a run may use a tool. Closing it refuses, as nothing else would be safe. */
export function PermissionPrompt() {
  const { tools } = useServices()
  const inLine = useStored('asks', ({ detail }) => (detail ? askName(detail.ask) : null))
  const screen = useStored('ui', (state) => state.screen)
  // The ask that is looked at asks in its own story.
  const requests = useStored('tools', (state) => state.requests).filter(
    ({ from }) => screen !== 'ask' || from !== inLine,
  )
  const [request] = requests
  if (!request) return null
  const answer = (input: 'once' | 'run' | 'no') => void tools.getState().answer(request.id, input)
  const more = requests.length - 1
  return (
    <Dialog
      key={request.id}
      onClose={() => answer('no')}
      title={`Use ${request.tool}?`}
      description={`${request.from} wants to use this tool of the server ${request.server}.`}
    >
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4">
        <p className="text-sm">{request.description}</p>
        {request.needs === null ? null : <p className="text-sm text-muted">It {request.needs}.</p>}
        <Verbatim label="What the tool would be given" scroll>
          {request.args}
        </Verbatim>
        <div className="flex flex-wrap items-center justify-end gap-2">
          {more > 0 ? (
            <span className="flex-1 text-sm text-muted">
              {more === 1 ? 'One more question' : `${more} more questions`} after this
            </span>
          ) : null}
          <Button onClick={() => answer('no')}>No</Button>
          <Button onClick={() => answer('run')}>Always in this run</Button>
          <Button look="primary" onClick={() => answer('once')}>
            Once
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
