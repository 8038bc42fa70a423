import { useTranslation } from 'react-i18next'
import type { LogReport } from '../../../contract/status.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { KeyValues, Section } from '../../ui/index.ts'
import styles from './Status.module.css'

/** The public log: its name, how far it reaches, and who cosigned it when. */
export function LogStatus({ log }: { log: LogReport | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={styles.log}>
      <Section title={t('proof.log')}>
        {log === null ? (
          <p className={styles.text}>{t('status.logEmpty')}</p>
        ) : (
          <>
            <KeyValues
              items={[
                { key: 'name', label: t('status.logName'), value: log.name },
                { key: 'size', label: t('status.logSize'), value: format.decimal(String(log.size)) },
                { key: 'at', label: t('status.logAt'), value: format.dateTime(log.at) },
              ]}
            />
            <Witnesses witnesses={log.witnesses} />
          </>
        )}
        <p className={styles.text}>{t('proof.logMore')}</p>
      </Section>
    </div>
  )
}

function Witnesses({ witnesses }: Pick<LogReport, 'witnesses'>) {
  const { t } = useTranslation()
  const format = useFormat()
  if (witnesses.length === 0) return <p className={styles.text}>{t('status.noWitnesses')}</p>
  return (
    <>
      <p className={styles.text}>{t('status.witnessesSign')}</p>
      <h3 className={styles.subtitle}>{t('status.logWitnesses')}</h3>
      <ul className={styles.witnesses}>
        {witnesses.map(({ name, seenAt }) => (
          <li key={name} className={styles.witness}>
            <span className={styles.name}>{name}</span>
            <span className={styles.signed}>
              {seenAt === null ? t('status.notSeen') : format.dateTime(seenAt)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
