// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'

/** An element whose animations are recorded: happy-dom has none. */
function priceBox() {
  const animations: { keyframes: unknown; options: unknown; cancel: () => void }[] = []
  const node = document.createElement('span')
  node.animate = (keyframes, options) => {
    const animation = { keyframes, options, cancel: vi.fn<() => void>() }
    animations.push(animation)
    return animation as unknown as Animation
  }
  return { node, animations }
}

/** The module reads the member's preference once, so each test gets its own. */
async function flashOf(reducedMotion: boolean) {
  vi.resetModules()
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: reducedMotion } as MediaQueryList)
  return (await import('../../../src/ui/flash.ts')).flash
}
beforeEach(() => void vi.restoreAllMocks())

describe('the flash of a price', () => {
  it.each(['up', 'down'] as const)(
    'fades the layer behind the text once, in the colour of %s',
    async (direction) => {
      const flash = await flashOf(false)
      const { node, animations } = priceBox()
      flash(node, direction)
      expect(node.dataset['flash']).toBe(direction)
      expect(animations).toMatchObject([
        { keyframes: [{ opacity: 1 }, { opacity: 0 }], options: { pseudoElement: '::before' } },
      ])
    },
  )

  it('of the next price replaces it', async () => {
    const flash = await flashOf(false)
    const { node, animations } = priceBox()
    flash(node, 'up')
    flash(node, 'down')
    expect(animations).toHaveLength(2)
    expect(animations.map(({ cancel }) => vi.mocked(cancel).mock.calls.length)).toEqual([1, 0])
    expect(node.dataset['flash']).toBe('down')
  })

  it('is left out if the member prefers reduced motion', async () => {
    const flash = await flashOf(true)
    const { node, animations } = priceBox()
    flash(node, 'up')
    expect(animations).toEqual([])
    expect(node.dataset['flash']).toBeUndefined()
  })
})
