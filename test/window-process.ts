import { cleanup } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'

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
