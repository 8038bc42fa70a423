import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtInColours, contrast } from '../../server/office/branding/themeColours.ts'

const css = readFileSync(new URL('../../src/ui/theme.css', import.meta.url), 'utf8').replace(
  /\/\*[\s\S]*?\*\//g,
  '',
)

/** The declarations of all top-level rules with the given selector; later ones win. */
function declarationsOf(selector: string): Record<string, string> {
  const declarations: Record<string, string> = {}
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!selectors.split(',').some((part) => part.trim() === selector)) continue
    for (const [, name = '', value = ''] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g))
      declarations[name] = value.trim()
  }
  return declarations
}

/** Returns the colour of a token as the page resolves it in this theme and convention. */
function resolver(theme: string, convention: string): (token: string) => string {
  const tokens = {
    ...declarationsOf(':root'),
    ...(theme === 'light' ? declarationsOf("[data-theme='light']") : {}),
    ...declarationsOf('[data-theme]'),
    ...(theme === 'dark' ? declarationsOf("[data-theme='dark']") : {}),
    ...declarationsOf(`[data-conv='${convention}']`),
  }
  const resolve = (value: string, depth = 0): string => {
    const alias = /^var\((--[\w-]+)\)$/.exec(value)?.[1]
    if (alias === undefined) return value
    const next = tokens[alias]
    if (next === undefined || depth > 5)
      throw new Error(`${alias} is not declared for ${theme}, ${convention}`)
    return resolve(next, depth + 1)
  }
  return (token) => resolve(`var(--${token})`)
}

const grounds = ['bg', 'canvas', 'surface', 'sheet']

/** Text on its possible backgrounds: at least 4.5. */
const textPairs: readonly [string, readonly string[]][] = [
  ['text', [...grounds, 'fill']],
  ['text2', [...grounds, 'fill']],
  ['text3', [...grounds, 'fill']],
  ['accent-text', [...grounds, 'fill', 'accent-tint']],
  ['on-accent', ['accent', 'accent-press']],
  ['on-fill', ['up-fill', 'down-fill']],
  ['up', [...grounds, 'fill', 'up-tint']],
  ['down', [...grounds, 'fill', 'down-tint']],
  ['danger', [...grounds, 'danger-tint']],
  ['warn', [...grounds, 'warn-tint']],
  ['bg', ['text']],
]

/** Lines and shapes needed to use a control: at least 3. */
const linePairs: readonly [string, readonly string[]][] = [
  ['line', [...grounds, 'fill']],
  ['accent-text', grounds],
  ['danger', grounds],
  ['text', [...grounds, 'fill', 'hair']],
  ['accent', grounds],
  ['up-fill', grounds],
  ['down-fill', grounds],
]

function lowContrastPairs(
  colour: (token: string) => string,
  pairs: readonly [string, readonly string[]][],
  minRatio: number,
): string[] {
  return pairs.flatMap(([token, on]) =>
    on
      .map((ground) => ({ ground, ratio: contrast(colour(token), colour(ground)) }))
      .filter(({ ratio }) => ratio < minRatio)
      .map(({ ground, ratio }) => `${token} on ${ground}: ${ratio.toFixed(2)}`),
  )
}

describe.each(['light', 'dark'] as const)('colours in %s', (theme) => {
  describe.each(['green', 'red', 'red-blue'])('with %s for up', (convention) => {
    const colour = resolver(theme, convention)

    it('give text a contrast of at least 4.5', () => {
      expect(lowContrastPairs(colour, textPairs, 4.5)).toEqual([])
    })

    it('give meaningful lines a contrast of at least 3', () => {
      expect(lowContrastPairs(colour, linePairs, 3)).toEqual([])
    })

    it('give a win and a loss equal contrast', () => {
      const up = contrast(colour('up-fill'), '#ffffff')
      const down = contrast(colour('down-fill'), '#ffffff')
      expect(Math.abs(up - down)).toBeLessThan(0.1)
    })
  })

  it('are those that the operator’s are checked with', () => {
    const colour = resolver(theme, 'green')
    const { grounds: seen, ...tokens } = builtInColours[theme]
    expect(seen).toEqual([...new Set([...grounds, 'fill'].map(colour))])
    for (const [token, value] of Object.entries(tokens))
      expect(colour(token.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))).toBe(value)
  })

  it('are different for a rise and a fall', () => {
    for (const convention of ['green', 'red', 'red-blue']) {
      const colour = resolver(theme, convention)
      expect(colour('up')).not.toBe(colour('down'))
    }
  })
})
