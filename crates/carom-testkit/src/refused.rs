/// What is refused, from a section of a text that begins with `== NAME`: what is replaced in a file, by what,
/// and what is said of that. They stand as `replaced => by` with what is said on the line below; `\n` is a
/// line break.
///
/// # Panics
/// If there is no such section.
pub fn refusals(text: &str, section: &str) -> Vec<[String; 3]> {
    let section = text.split("\n== ").find_map(|part| part.strip_prefix(section)).unwrap();
    let lines: Vec<String> = section.trim().lines().map(|line| line.trim().replace("\\n", "\n")).collect();
    let pairs = lines.chunks(2).map(|pair| {
        let (from, to) = pair[0].split_once(" =>").unwrap();
        [from.to_owned(), to.strip_prefix(' ').unwrap_or(to).to_owned(), pair[1].clone()]
    });
    pairs.collect()
}
