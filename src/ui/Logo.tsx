import styles from './Logo.module.css'

/** The logo: one rising step of a price line. `name` shows the product's name beside it. */
export function Logo({ size = 24, name }: { size?: number; name?: string }) {
  return (
    <span className={styles.logo}>
      <svg
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
      {name !== undefined && <span className={styles.name}>{name}</span>}
    </span>
  )
}
