package imports

import "labctl/topology/file"

// Write gives the text of the lab, with the notes as comments in front of it.
func Write(lab file.Lab, notes []Note) []byte {
	var header []string
	if len(notes) > 0 {
		header = append(header, "What stands in the files and not here, or not quite:")
	}
	for _, n := range notes {
		header = append(header, "- "+n.String())
	}
	return file.WriteHeaded(header, lab)
}
