import { expect, test } from 'vitest'
import { sideWorkOf } from '../../../src/core/verdict/side-request'

const request = (change: Partial<Parameters<typeof sideWorkOf>[0]>) =>
  sideWorkOf({ system: 'You are a helpful assistant.', user: '', maxTokens: null, tools: 0, ...change })

test.each([
  [{ user: 'quota', maxTokens: 1 }, 'a check whether the model answers'],
  [{ user: 'hi' }, 'no request'],
  [{ user: '' }, 'no request'],
  [
    { system: 'You are a title generator. You output ONLY a thread title.', user: 'How do I sort a list?' },
    'a title for a conversation',
  ],
  [
    {
      user: '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\nJSON',
    },
    'a title for a conversation',
  ],
  [{ user: 'Summarize the conversation so far. Return only the summary.' }, 'a summary of a conversation'],
  [
    { user: '### Task:\nSuggest 3-5 relevant follow-up questions that the user might naturally ask next.' },
    'suggestions',
  ],
  [
    {
      user: 'Rephrase the follow up question to be a standalone question. Only return the question.\nchat history: ...',
    },
    'a search query',
  ],
  [{ system: 'Write a git commit message for the diff.', user: 'diff --git a b' }, 'a commit message'],
])('side work: %j', (change, what) => {
  expect(request(change)).toBe(what)
})

test.each([
  'Give my new podcast a name that fits a chat about gardening.',
  'Summarize this article about the session of parliament for me.',
  'Write a title for my blog post about trains.',
  'Suggest three follow-up books after Dune.',
  'Help me write better commit messages.',
  'Extract the facts from this contract.',
])('a task of a person: %s', (user) => {
  expect(request({ user })).toBeNull()
})

test('what offers tools is a task, whatever its words', () => {
  expect(request({ system: 'You are a title generator.', user: 'Sort the list', tools: 3 })).toBeNull()
})
