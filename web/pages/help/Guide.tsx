import { Anchor, Code, List, Table, Text, Title, type TitleOrder } from "@mantine/core";
import { anchorOf, type Block, readInline } from "./markdown";

interface Props {
  blocks: readonly Block[];
  /** Address of a picture that the text names; undefined where there is none. */
  pictureUrl: (source: string) => string | undefined;
}

/** The guide's text on the page. Raw HTML in it stays text. */
export function Guide({ blocks, pictureUrl }: Props) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
  return blocks.map((block, i) => <Part key={i} block={block} pictureUrl={pictureUrl} />);
}

function Part({ block, pictureUrl }: { block: Block; pictureUrl: Props["pictureUrl"] }) {
  switch (block.kind) {
    case "heading":
      return (
        <Title
          order={Math.min(block.level, 6) as TitleOrder}
          id={anchorOf(block.text)}
          mt={block.level > 1 ? "xl" : 0}
          mb="xs"
        >
          {block.text}
        </Title>
      );
    case "paragraph":
      return (
        <Text size="sm" mb="sm" lh={1.6}>
          <Line text={block.text} />
        </Text>
      );
    case "picture": {
      const url = pictureUrl(block.source);
      return url ? <img src={url} alt={block.alt} loading="lazy" /> : null;
    }
    case "code":
      return (
        <Code block mb="sm">
          {block.text}
        </Code>
      );
    case "list":
      return (
        <List type={block.ordered ? "ordered" : "unordered"} size="sm" mb="sm" spacing={4} pr="md">
          {block.items.map((item) => (
            <List.Item key={item}>
              <Line text={item} />
            </List.Item>
          ))}
        </List>
      );
    case "table":
      return <Rows head={block.head} rows={block.rows} />;
  }
}

function Rows({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <Table.ScrollContainer minWidth={480} mb="sm">
      <Table verticalSpacing={5} fz="sm">
        <Table.Thead>
          <Table.Tr>
            {head.map((cell) => (
              <Table.Th key={cell}>
                <Line text={cell} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.join()}>
              {row.map((cell, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell's place is its column
                <Table.Td key={i}>
                  <Line text={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Line({ text }: { text: string }) {
  return readInline(text).map((part, i) => {
    const key = `${i} ${part.text}`;
    if (part.kind === "strong") return <strong key={key}>{part.text}</strong>;
    if (part.kind === "code") return <Code key={key}>{part.text}</Code>;
    if (part.kind === "text") return part.text;
    const isWeb = /^https?:/.test(part.target);
    // Links to other pages of the documentation lead nowhere here.
    return isWeb ? (
      <Anchor key={key} href={part.target} target="_blank" rel="noreferrer" underline="always" inherit>
        {part.text}
      </Anchor>
    ) : (
      part.text
    );
  });
}
