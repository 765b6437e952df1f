import { ListTodo } from '../components/icons'
import { Popover } from 'radix-ui'
import { classNames } from '../components/class-names'
import { plural } from '../components/format'
import { useConnected } from '../ground/connected'
import { JobRow } from '../ground/job-row'
import { useStored } from '../stores/use-services'

const MOST_SHOWN = 20

/** Long work: how far, how long still, what it is doing, and cancel. Stays reachable from every screen. */
export function JobsTray() {
  const list = useStored('jobs', (state) => state.data)
  const connected = useConnected()
  const running = list.filter((job) => job.status === 'running')
  const words = running.length > 0 ? plural(running.length, 'job') : null
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={
          words === null
            ? 'Jobs: nothing running'
            : `Jobs: ${words} ${connected ? 'running' : 'when last heard'}`
        }
        className={classNames(
          'flex h-8 items-center gap-2 rounded-md px-2 transition-colors duration-100 hover:bg-hover',
          running.length === 0 && 'text-muted',
        )}
      >
        <ListTodo size={16} strokeWidth={1.75} aria-hidden />
        {words === null ? (
          'Jobs'
        ) : (
          <>
            <span
              className={classNames('size-1.5 rounded-full', connected ? 'breathing bg-accent' : 'bg-notice')}
              aria-hidden
            />
            {words}
          </>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Jobs"
          onOpenAutoFocus={(event) => {
            // Not onto the first Cancel: its tooltip would cover the list.
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          className="z-60 max-h-[70vh] w-88 overflow-y-auto rounded-lg border bg-surface shadow-menu outline-none"
        >
          {connected ? null : (
            <p role="status" className="border-b px-4 py-2 text-sm text-notice">
              This is what was last heard of the host.
            </p>
          )}
          {list.length === 0 ? (
            <p className="p-4 text-muted">Nothing is going on. Runs, downloads and exports show up here.</p>
          ) : (
            <ul className="divide-y">
              {list.slice(0, MOST_SHOWN).map((job) => (
                <JobRow key={job.id} job={job} />
              ))}
            </ul>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
