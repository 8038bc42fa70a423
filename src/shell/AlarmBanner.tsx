import { useLayoutEffect, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { hrefTo } from '../router/hashLocation.ts'
import { saveFile } from '../lib/saveFile.ts'
import { activeAlarms, watchAlarms } from '../state/alarms.ts'
import { activeLogAlarm, dismissLogAlarm, watchLogAlarm, type LogAlarm } from '../state/logMemory.ts'
import { Icon } from '../ui/Icon.tsx'
import styles from './AlarmBanner.module.css'

/**
 * Shown above every page until it is viewed: one of the member's orders whose proof failed the check on this device, or a
 * public log that contradicts what this device has seen.
 */
export function AlarmBanner() {
  const { t } = useTranslation()
  const [alarm, ...more] = useSyncExternalStore(watchAlarms, activeAlarms, activeAlarms)
  const logAlarm = useSyncExternalStore(watchLogAlarm, activeLogAlarm, activeLogAlarm)
  // First: once it is dismissed, the orders may be right.
  if (logAlarm !== null) return <LogAlarmBanner alarm={logAlarm} />
  if (alarm === undefined) return null
  return (
    <Banner>
      <Icon name="warning-circle-fill" size={20} />
      <span className={styles.text}>
        {more.length === 0
          ? t('proof.alarm', { no: alarm.no })
          : t('proof.alarms', { count: more.length + 1 })}{' '}
        <a className={styles.link} href={hrefTo(paths.order, { id: alarm.orderId })}>
          {t('proof.alarmSee')}
        </a>
      </span>
    </Banner>
  )
}

/** The public log does not continue what this device has seen; shown until the member dismisses it. */
function LogAlarmBanner({ alarm }: { alarm: LogAlarm }) {
  const { t } = useTranslation()
  const download = (): void => {
    const text = JSON.stringify({ format: 'uptick-log-evidence', version: 1, ...alarm }, null, 1)
    saveFile(new Blob([text], { type: 'application/json' }), 'public-log.json')
  }
  return (
    <Banner>
      <Icon name="warning-circle-fill" size={20} />
      <span className={styles.text}>
        {t(alarm.kind === 'fork' ? 'proof.logFork' : 'proof.logReplaced')}{' '}
        <button type="button" className={styles.link} onClick={download}>
          {t('proof.logDownload')}
        </button>{' '}
        <button type="button" className={styles.link} onClick={dismissLogAlarm}>
          {t('common.close')}
        </button>
      </span>
    </Banner>
  )
}

/** It overlays the page: sticky elements at the top use `--safe-top`, which includes its height. */
function Banner({ children }: { children: ReactNode }) {
  const bannerRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bannerRef.current
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
      <div ref={bannerRef} className={styles.band} role="alert">
        {children}
      </div>
    </div>
  )
}
