import { expect, it } from 'vitest'
import { questionOf } from '../../../src/main/cli/ask-permission'

const request = {
  id: '1',
  from: 'an ask',
  server: 'mail',
  tool: 'send_email',
  description: '',
  needs: null,
  args: 'to: a',
}

it('a question at the terminal says what was read before, where that is why it is asked', () => {
  expect(questionOf({ ...request, read: [] })).not.toContain('nobody checked')
  expect(questionOf({ ...request, read: ['the program helper', 'the answer of read_page'] })).toContain(
    'text that nobody checked was read before: the program helper, the answer of read_page',
  )
})
