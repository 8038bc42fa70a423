import { describe, expect, it } from 'vitest'
import { colourProblem, colourSheet, contrast } from '../../../../server/office/branding/themeColours.ts'

describe('the contrast of colours', () => {
  it('is that of WCAG', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })
})

describe("an operator's colours", () => {
  it('are accepted if they can be read', () => {
    expect(colourProblem({ light: {}, dark: {} })).toBe(null)
    expect(colourProblem({ light: { accent: '#0a6b5e', accentPress: '#085a4f' }, dark: {} })).toBe(null)
  })

  it.each([
    [
      { light: { accent: '#ffd400' }, dark: {} },
      'colours.light.onAccent #ffffff has a contrast of 1.43 on #ffd400',
    ],
    [{ light: { accentText: '#7aa5ff' }, dark: {} }, 'colours.light.accentText #7aa5ff'],
    [{ light: {}, dark: { accent: '#1b1464', accentPress: '#1b1464' } }, 'colours.dark.accent #1b1464'],
  ])('are rejected if not: %j', (colours, problem) => {
    expect(colourProblem(colours)).toContain(problem)
    expect(colourProblem(colours)).toMatch(/; it must have at least [34](\.5)?$/)
  })

  it('change only what they name, in their theme', () => {
    expect(colourSheet({ light: {}, dark: {} })).toBe('')
    expect(colourSheet({ light: { accent: '#0A6B5E' }, dark: { accentText: '#5fd3c1' } })).toBe(
      ":root:not([data-theme='dark']), [data-theme='light'] {\n  --accent: #0a6b5e;\n}\n" +
        "[data-theme='dark'] {\n  --accent-text: #5fd3c1;\n}\n",
    )
  })
})
