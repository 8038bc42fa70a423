import styles from './Logo.module.css'

/** Whether the operator has a logo of his own: then the page says so, and the icon's file is the logo. */
const hasOwnLogo = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.dataset['logo'] !== undefined

/** The logo: one rising step of a price line. `name` shows the product's name beside it. */
export function Logo({ size = 24, name }: { size?: number; name?: string }) {
  return (
    <span className={styles.logo}>
      {hasOwnLogo() ? (
        <img className={styles.mark} src="/icon.svg" alt="" width={size} height={size} />
      ) : (
        <Step size={size} />
      )}
      {name !== undefined && <span className={styles.name}>{name}</span>}
    </span>
  )
}

function Step({ size }: { size: number }) {
  return (
    <svg
      data-logo
      className={styles.mark}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="3.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3 18h7.5V6H21" />
    </svg>
  )
}
