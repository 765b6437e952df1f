import { render, type RenderResult } from '@testing-library/react'
import { Tooltip } from 'radix-ui'
import type { ReactElement } from 'react'
import { ServicesContext } from '../../../src/renderer/stores/use-services'
import type { Services } from '../../../src/renderer/stores/services'

/** Draws a part of the window into the test's page; `services` holds the stores it asks for, and no others. */
export function draw(part: ReactElement, services: Partial<Services> = {}): RenderResult {
  return render(part, {
    wrapper: ({ children }) => (
      <ServicesContext value={services as Services}>
        <Tooltip.Provider>{children}</Tooltip.Provider>
      </ServicesContext>
    ),
  })
}
