import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useObservable } from '../hooks/useObservable.ts'
import { useStreams } from '../hooks/useStreams.ts'
import { ConnectionLine } from '../ui/ConnectionLine.tsx'
import { notConnected } from './connection.ts'
import styles from './ConnectionStatus.module.css'

/** Connecting takes a moment; before this it is not worth a line. */
const quietMs = 1500

/** The thin line under the bar while the venue cannot be heard, with the age of prices where there are any. */
export function ConnectionStatus({ prices = true }: { prices?: boolean }) {
  const { t } = useTranslation()
  const { connection$, clock } = useStreams()
  const { state, stale, lastHeardAt } = useObservable(connection$, notConnected)
  const trouble = state === 'idle' ? false : state !== 'online' || stale
  const told = useLasting(trouble, quietMs)
  const now = useObservable(clock.second$, 0)
  if (!told) return null
  const seconds =
    lastHeardAt === undefined || now === 0 ? 0 : Math.max(0, Math.round((now - lastHeardAt) / 1000))
  const spoken = state === 'refused' ? t('connection.refused') : t('connection.reconnecting')
  const text =
    !prices || state === 'refused' || seconds < 2
      ? spoken
      : t('connection.pausedFor', { seconds: seconds.toString() })
  return (
    <div className={styles.sticky}>
      <ConnectionLine spoken={spoken}>{text}</ConnectionLine>
    </div>
  )
}

/** True once `value` has been true for `ms` on end; false at once. */
function useLasting(value: boolean, ms: number): boolean {
  const [lasted, setLasted] = useState(false)
  useEffect(() => {
    if (!value) return undefined
    const timer = setTimeout(() => setLasted(true), ms)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [value, ms])
  return value && lasted
}
