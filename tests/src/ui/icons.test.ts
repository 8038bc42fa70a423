import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { iconNames } from '../../../src/ui/iconNames.ts'

it('the committed sprite contains exactly the listed icons', () => {
  const sprite = readFileSync(new URL('../../../src/ui/icons.svg', import.meta.url), 'utf8')
  expect([...sprite.matchAll(/<symbol id="([a-z-]+)"/g)].map((match) => match[1])).toEqual([...iconNames])
})
