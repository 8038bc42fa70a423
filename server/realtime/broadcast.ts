import type { Figures } from '../../contract/products.ts'
import type { Flush, Market } from '../ports.ts'
import type { Audience, Audiences } from './audiences.ts'
import { seal } from './sealed.ts'
import type { Sealed } from './sealed.ts'
import { tickFrames } from './tickFrames.ts'

/** What all viewers are told: encoded once per audience, from parts that are written once per product. */
export type Broadcast = {
  /** The ticks of a flush. */
  ticks(flush: Flush): void
  /** Figures that changed since the last call, then every product's watermark and head. */
  beat(at: number): void
}

export function createBroadcast(market: Market, audiences: Audiences): Broadcast {
  const told = new Map<string, Figures>()
  const writeAll = (audience: Audience, event: Sealed): void => {
    for (const viewer of audience.viewers) viewer.write(event)
  }
  /** The text of a product's figures where they changed since the last beat; judged once a beat for all audiences. */
  const figuresTexts = (): ((id: string) => string | undefined) => {
    const texts = new Map<string, string | undefined>()
    return (id) => {
      if (texts.has(id)) return texts.get(id)
      const figures = market.figures(id)
      const before = told.get(id)
      const text = before && sameFigures(before, figures) ? undefined : JSON.stringify(figures)
      if (text !== undefined) told.set(id, { ...figures })
      texts.set(id, text)
      return text
    }
  }
  const feedTexts = (): ((id: string) => string) => {
    const texts = new Map<string, string>()
    return (id) => {
      const known = texts.get(id)
      if (known !== undefined) return known
      const { seq, hash } = market.head(id)
      const state = { watermark: market.watermark(id), status: market.feedStatus(id), seq, hash }
      const text = `${JSON.stringify(id)}:${JSON.stringify(state)}`
      texts.set(id, text)
      return text
    }
  }
  return {
    ticks: (flush) => {
      for (const audience of audiences.all()) {
        for (const frame of tickFrames(flush, audience.modes)) {
          writeAll(audience, seal('ticks', `[${frame.join(',')}]`))
        }
      }
    },
    beat: (at) => {
      const figuresText = figuresTexts()
      const feedText = feedTexts()
      for (const audience of audiences.all()) {
        const figures = audience.ids.map(figuresText).filter((text) => text !== undefined)
        if (figures.length > 0) writeAll(audience, seal('figures', `{"at":${at},"f":[${figures.join(',')}]}`))
        writeAll(audience, seal('feed', `{"at":${at},"p":{${audience.ids.map(feedText).join(',')}}}`))
      }
    },
  }
}

function sameFigures(a: Figures, b: Figures): boolean {
  if (a === b) return true
  return (Object.keys(b) as (keyof Figures)[]).every((field) => a[field] === b[field])
}
