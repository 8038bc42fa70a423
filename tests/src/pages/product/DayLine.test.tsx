// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { DayLine } from '../../../../src/pages/product/DayLine.tsx'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'

it('shows the day of a product, and nothing before its first price', async () => {
  const product = await streamsSetup(['A']).market.api.product('A')
  const { container, render } = await openPage(<DayLine product={{ ...product, spark: [1, 3, 2] }} />)
  expect(container.querySelectorAll('path')[1]?.getAttribute('d')).toBe('M0 26L50 2L100 14')
  await render(<DayLine product={{ ...product, spark: [] }} />)
  expect(container.children).toHaveLength(0)
})
