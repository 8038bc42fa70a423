import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, fromEvent, map, startWith } from 'rxjs'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { offline } from '../../state/offlineMember.ts'
import { toast } from '../../ui/index.ts'
import { ended$, endedToast } from './ended.ts'

/** Says how own orders ended, with the way to their proof, while the member is on a page that does not show it. */
export function EndedOrders() {
  const { t } = useTranslation()
  const format = useFormat()
  const { orders } = useStreams()
  const words = useRef({ t, format })
  useEffect(() => {
    words.current = { t, format }
  })
  useEffect(() => {
    const say = async (ended: readonly Order[]): Promise<void> => {
      const products = (await offline.products())?.value
      const codeOf = (id: string): string => products?.find((product) => product.id === id)?.code ?? id
      const said = endedToast(words.current.t, words.current.format, ended, codeOf)
      if (said) toast(said)
    }
    const told = ended$({
      event$: orders.event$,
      hash: () => location.hash,
      visible$: fromEvent(document, 'visibilitychange').pipe(
        startWith(undefined),
        map(() => !document.hidden),
      ),
      scheduler: asyncScheduler,
    }).subscribe((ended) => void say(ended))
    return () => told.unsubscribe()
  }, [orders])
  return null
}
