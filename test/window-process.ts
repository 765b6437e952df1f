import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'

// On a busy machine what is awaited comes later than within a second.
configure({ asyncUtilTimeout: 60_000 })

// Files of the window share a document (vitest.config.ts): each begins with an empty one, and takes down what it draws.
beforeAll(() => {
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  document.head.replaceChildren()
  document.body.replaceChildren()
  window.localStorage.clear()
  window.sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
afterEach(cleanup)
