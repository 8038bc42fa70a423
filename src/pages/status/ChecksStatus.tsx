import { useTranslation } from 'react-i18next'
import type { ChecksReport } from '../../../contract/status.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { KeyValues, Section } from '../../ui/index.ts'
import styles from './Status.module.css'

/** What the venue checked of itself: results, the log and the books, and how many differences it ever found. */
export function ChecksStatus({ checks: { results, log, books } }: { checks: ChecksReport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const checked = (kind: 'checkedOrders' | 'checkedEntries', count: number, at: number): string =>
    t(`status.${kind}`, { count: format.decimal(String(count)), at: format.dateTime(at) })
  const found = (results?.differing ?? 0) + (log?.damaged ?? 0) + (books?.differing ?? 0)
  const booksAt = books !== null && books.differing > 0 ? books.at : 0
  const foundAt = Math.max(results?.differedAt ?? 0, log?.damagedAt ?? 0, booksAt)
  const none = t('status.notSeen')
  return (
    <div className={styles.log}>
      <Section title={t('status.checks')}>
        <KeyValues
          items={[
            {
              key: 'results',
              label: t('status.checkResults'),
              value: results === null ? none : checked('checkedOrders', results.orders, results.at),
            },
            {
              key: 'log',
              label: t('status.checkLog'),
              value: log === null ? none : checked('checkedEntries', log.ticks, log.at),
            },
            {
              key: 'books',
              label: t('status.checkBooks'),
              value: books === null ? none : checked('checkedEntries', books.postings, books.at),
            },
            {
              key: 'differences',
              label: t('status.differences'),
              value:
                found === 0
                  ? t('status.noGaps')
                  : t('status.differencesAt', {
                      count: format.decimal(String(found)),
                      at: format.dateTime(foundAt),
                    }),
            },
          ]}
        />
        <p className={styles.text}>{t('status.checksText')}</p>
      </Section>
    </div>
  )
}
