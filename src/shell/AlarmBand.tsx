import type { ReactNode } from 'react'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { hrefTo } from '../router/hashLocation.ts'
import { raisedAlarms, watchAlarms } from '../state/alarms.ts'
import { Icon } from '../ui/Icon.tsx'
import styles from './AlarmBand.module.css'

/** Over every page, until it is looked at: an own order whose proof did not hold on this device. */
export function AlarmBand() {
  const { t } = useTranslation()
  const [alarm, ...more] = useSyncExternalStore(watchAlarms, raisedAlarms, raisedAlarms)
  if (alarm === undefined) return null
  return (
    <Band>
      <Icon name="warning-circle-fill" size={20} />
      <span className={styles.text}>
        {more.length === 0
          ? t('proof.alarm', { no: alarm.no })
          : t('proof.alarms', { count: more.length + 1 })}{' '}
        <a className={styles.link} href={hrefTo(paths.order, { id: alarm.orderId })}>
          {t('proof.alarmSee')}
        </a>
      </span>
    </Band>
  )
}

/** Takes no room of its own: what sticks to the top of a page makes way by `--safe-top`, which includes its height. */
function Band({ children }: { children: ReactNode }) {
  const band = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = band.current
    if (!element) return undefined
    const root = document.documentElement
    const observer = new ResizeObserver(() => {
      root.style.setProperty('--band', `${element.offsetHeight}px`)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      root.style.removeProperty('--band')
    }
  }, [])
  return (
    <div className={styles.place}>
      <div ref={band} className={styles.band} role="alert">
        {children}
      </div>
    </div>
  )
}
