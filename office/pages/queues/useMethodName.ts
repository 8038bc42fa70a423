import { useMemo } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'

/** A method of deposits, or the kind of a withdrawal account, in words: what it is and its currency. It stays the same function. */
export function useMethodName(): (method: string) => string {
  const t = useTexts()
  const { data } = useOfficeCall(officeRoutes.limits.show, {}, { enabled: useMay()('limits.show') })
  return useMemo(() => methodNames(t, data?.deposits ?? []), [t, data])
}

type Method = RouteAnswer<typeof officeRoutes.limits.show>['deposits'][number]

const methodNames =
  (t: Texts, methods: readonly Method[]) =>
  (method: string): string => {
    if (method === 'bank' || method === 'crypto') return t(`method.${method}`)
    const known = methods.find(({ id }) => id === method)
    if (known === undefined) return method
    const name = `${t(`method.${known.kind}`)} (${known.currency})`
    // Two of one kind and currency differ only by what the operator called them.
    const isOne =
      methods.filter(({ kind, currency }) => kind === known.kind && currency === known.currency).length === 1
    return isOne ? name : `${name} ${method}`
  }
