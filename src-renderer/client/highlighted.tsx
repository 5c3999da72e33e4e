/** Text of a search result; the API marks hits with U+E000 and U+E001. */
export function Highlighted({ text }: { text: string }) {
  return text.split('\uE000').map((part, index) => {
    const [hit = '', rest] = index === 0 ? ['', part] : part.split('\uE001');
    return (
      <span key={index}>
        {hit !== '' && <mark>{hit}</mark>}
        {rest}
      </span>
    );
  });
}
