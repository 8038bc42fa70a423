import { expect, it, vi } from 'vitest'
import { watchView } from '../../office/ui/watchView.ts'

/** A picture 295 px high in what scrolls and shows 192 px of it: calls with the parts that are on screen, one after another. */
function seenAfter(parts: readonly (readonly [from: number, to: number])[]): boolean {
  let tell: (from: number, to: number) => void = () => undefined
  class Observer {
    constructor(callback: IntersectionObserverCallback) {
      tell = (from, to) => {
        const entry = {
          isIntersecting: to > from,
          intersectionRect: { top: from, bottom: to, height: to - from },
          boundingClientRect: { top: 0, bottom: 295, height: 295 },
          rootBounds: { height: 192 },
        }
        callback([entry as IntersectionObserverEntry], this as unknown as IntersectionObserver)
      }
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  const onInView = vi.fn<() => void>()
  watchView({ closest: () => null } as unknown as Element, onInView)
  for (const [from, to] of parts) tell(from, to)
  return onInView.mock.calls.length === 1
}

it.each<[what: string, parts: [number, number][], isSeen: boolean]>([
  ['enough at once', [[0, 160]], true],
  ['not enough', [[0, 159]], false],
  [
    'page after page',
    [
      [0, 157],
      [138, 295],
    ],
    true,
  ],
  [
    'page after page, upwards',
    [
      [150, 295],
      [0, 157],
    ],
    true,
  ],
  [
    'both ends, and nothing between them',
    [
      [0, 80],
      [215, 295],
    ],
    false,
  ],
  [
    'nothing in between, then the rest',
    [
      [0, 80],
      [0, 0],
      [70, 165],
    ],
    true,
  ],
])('%s', (_what, parts, isSeen) => {
  expect(seenAfter(parts)).toBe(isSeen)
})
