import { Anchor, Code, List, Table, Text, Title, type TitleOrder } from "@mantine/core";
import type { Token, Tokens } from "marked";
import { Link } from "react-router-dom";
import { anchorOf } from "./chapters";

interface Props {
  /** Tokens from marked's lexer. Raw HTML in them is shown as text. */
  tokens: readonly Token[];
  /** Returns the URL of an image named in the text; undefined if there is none. */
  imageUrl: (source: string) => string | undefined;
}

/** Renders Markdown. Unsupported tokens are shown as their source text. */
export function Guide({ tokens, imageUrl }: Props) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
  return tokens.map((token, i) => <Part key={i} token={token as Tokens.Generic} imageUrl={imageUrl} />);
}

function Part({ token, imageUrl }: { token: Tokens.Generic; imageUrl: Props["imageUrl"] }) {
  const inside = token.tokens && <Guide tokens={token.tokens} imageUrl={imageUrl} />;
  switch (token.type) {
    case "space":
      return null;
    case "heading": {
      const { depth, text } = token as Tokens.Heading;
      return (
        <Title order={depth as TitleOrder} id={anchorOf(text)} mt={depth > 1 ? "xl" : 0} mb="xs">
          {inside}
        </Title>
      );
    }
    case "paragraph":
      return (
        <Text component="div" size="sm" mb="sm" lh={1.6}>
          {inside}
        </Text>
      );
    case "image": {
      const { href, text } = token as Tokens.Image;
      const url = imageUrl(href);
      return url ? <img src={url} alt={text} loading="lazy" /> : null;
    }
    case "code":
      return (
        <Code block mb="sm">
          {token.text}
        </Code>
      );
    case "list": {
      const { ordered, items } = token as Tokens.List;
      return (
        <List type={ordered ? "ordered" : "unordered"} size="sm" mb="sm" spacing={4} pr="md">
          {items.map((item) => (
            <List.Item key={item.raw}>
              <Guide tokens={item.tokens} imageUrl={imageUrl} />
            </List.Item>
          ))}
        </List>
      );
    }
    case "table":
      return <Rows table={token as Tokens.Table} />;
    case "strong":
      return <strong>{inside}</strong>;
    case "em":
      return <em>{inside}</em>;
    case "codespan":
      return <Code>{token.text}</Code>;
    case "link": {
      const { href } = token as Tokens.Link;
      if (href.startsWith("#"))
        return (
          <Anchor component={Link} to={{ hash: href }} underline="always" inherit>
            {inside}
          </Anchor>
        );
      // Other documentation pages are not part of the build, so links to them become plain text.
      if (!/^https?:/.test(href)) return inside;
      return (
        <Anchor href={href} target="_blank" rel="noreferrer" underline="always" inherit>
          {inside}
        </Anchor>
      );
    }
    case "text":
    case "escape":
      return inside ?? token.text;
    default:
      return token.raw;
  }
}

function Rows({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <Table.ScrollContainer minWidth={480} mb="sm">
      <Table verticalSpacing={5} fz="sm">
        <Table.Thead>
          <Table.Tr>
            {header.map((cell) => (
              <Table.Th key={cell.text}>
                <Guide tokens={cell.tokens} imageUrl={noImage} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.map(({ text }) => text).join()}>
              {row.map((cell, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell's place is its column
                <Table.Td key={i}>
                  <Guide tokens={cell.tokens} imageUrl={noImage} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const noImage = (): undefined => undefined;
