import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'

const os = implement(contract)

/** Finding and fetching models and encoders of the hub. */
export const downloadsRouter = ({ models: { downloads, hub } }: App) => ({
  list: os.downloads.list.handler(() => downloads.list()),
  watch: os.downloads.watch.handler(({ input, signal }) =>
    downloads.feed.watch({ since: input.since, signal }),
  ),
  search: os.downloads.search.handler(({ input, signal }) => hub.search(input.text, signal)),
  choices: os.downloads.choices.handler(({ input, signal }) => hub.choices(input.repo, signal)),
  offers: os.downloads.offers.handler(() => [...hub.offers]),
  add: os.downloads.add.handler(({ input }) => hub.add(input.repo, input.choice)),
  addKnown: os.downloads.addKnown.handler(({ input }) => hub.addKnown(input.id)),
  addEmbedder: os.downloads.addEmbedder.handler(({ input }) => hub.addEmbedder(input.id)),
  pause: os.downloads.pause.handler(({ input }) => downloads.pause(input.downloadId)),
  resume: os.downloads.resume.handler(({ input }) => downloads.resume(input.downloadId)),
  cancel: os.downloads.cancel.handler(({ input }) => downloads.cancel(input.downloadId)),
})
